"""``python -m research``: ask a question of files, and take away a report."""
