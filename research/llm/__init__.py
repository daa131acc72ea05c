"""Speaking to language models: the client, answers of a given shape, repair of broken JSON."""
