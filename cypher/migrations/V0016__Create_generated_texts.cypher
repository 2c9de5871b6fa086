// What language models wrote about entities and communities
CREATE CONSTRAINT generated_text_id_unique IF NOT EXISTS
FOR (generatedText:GeneratedText)
REQUIRE generatedText.id IS UNIQUE;

CREATE INDEX generated_text_tenant IF NOT EXISTS
FOR (generatedText:GeneratedText)
ON (generatedText.tenant);