// Decisions about entities: those that stand, and those that were undone
CREATE CONSTRAINT decision_id_unique IF NOT EXISTS
FOR (decision:Decision)
REQUIRE decision.id IS UNIQUE;

CREATE CONSTRAINT undone_decision_id_unique IF NOT EXISTS
FOR (undoneDecision:UndoneDecision)
REQUIRE undoneDecision.id IS UNIQUE;

CREATE INDEX decision_tenant IF NOT EXISTS
FOR (decision:Decision)
ON (decision.tenant);

CREATE INDEX undone_decision_tenant IF NOT EXISTS
FOR (undoneDecision:UndoneDecision)
ON (undoneDecision.tenant);