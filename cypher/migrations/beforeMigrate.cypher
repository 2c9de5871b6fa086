// What the lock of the migrations stands on; runs before every migration
CREATE CONSTRAINT __Neo4jMigrationsLock__has_unique_id IF NOT EXISTS
FOR (lock:__Neo4jMigrationsLock)
REQUIRE lock.id IS UNIQUE;

CREATE CONSTRAINT __Neo4jMigrationsLock__has_unique_name IF NOT EXISTS
FOR (lock:__Neo4jMigrationsLock)
REQUIRE lock.name IS UNIQUE;