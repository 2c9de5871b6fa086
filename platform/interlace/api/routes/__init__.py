"""What the API answers: one router a subject, none with logic of its own."""
