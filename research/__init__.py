"""Dossier's research engine: it plans, carries out and writes up research, without any screen."""
