"""Reports: citations, the check of claims, and every file that a report becomes.

One way leads through here: canonical Markdown -> :mod:`~research.report.tree` ->
:mod:`~research.report.citations` -> :mod:`~research.report.screen`,
:mod:`~research.report.markdown` or :mod:`~research.report.pdf`. Pictures and PDF files are made
by a child process, :mod:`~research.report.press`.
"""
