"""The Python that the scripted model writes for a processing step."""

PROGRAM = """\
import json

import pandas as pd
import plotly.express as px

with open("data/manifest.json", encoding="utf-8") as file:
    manifest = json.load(file)
tables = manifest["tables"] if isinstance(manifest, dict) else manifest
table = tables[0]
frame = pd.read_parquet(f"data/{table['name']}.parquet")
numbers = list(frame.select_dtypes("number").columns)
labels = [column for column in frame.columns if column not in numbers]
years = [column for column in numbers if frame[column].dropna().between(1900, 2100).all()]
values = [column for column in numbers if column not in years] or numbers
value = values[-1]
by = (labels or years or numbers)[0]
result = frame.groupby(by, as_index=False)[value].sum().sort_values(value, ascending=False)
top = result.iloc[0]
figure = px.bar(result, x=by, y=value, title=f"{value} by {by}")
alt = f"Bars of {value} for each {by}; {top[by]} has the highest."
figure.update_layout(meta={"alt": alt})
figure.write_json("out/totals.json")
result.to_csv("out/totals.csv", index=False)
print(f"{table['title']}: {len(frame)} rows")
print(f"total {value}: {result[value].sum():.2f}")
print(f"largest {value}: {top[by]} with {top[value]:.2f}")
"""
