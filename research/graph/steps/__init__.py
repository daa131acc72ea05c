"""How one step of a plan is carried out, by its type."""
