"""The user's documents: read, split, embedded, indexed, and found again.

A file goes through ``reading`` (a child process with one of ``readers/``), ``splitting``,
``embedding`` and ``store``; a question goes through ``retrieval``. ``library`` is the door to all
of it, ``ingestion`` the queue in front of it.
"""
