"""What speaks: the model-backed analyst and the extractive analyst, behind one protocol."""
