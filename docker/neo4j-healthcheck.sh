#!/bin/bash
# Tells the container engine whether Neo4j is well, and ends one that has given up: the restart policy then starts it anew.
#
# After a failed write, most likely because the disk was full, Neo4j refuses all work until it is started anew, and Community Edition
# has no setting that would end it. It is killed, not stopped, and only once there is room: platform/interlace_stack/watchdog.py says why.
set -u
least_kib=262144

unwell="$(NEO4J_PASSWORD="${NEO4J_AUTH#*/}" cypher-shell --username neo4j --database system --format plain \
  "SHOW DATABASES YIELD currentStatus, statusMessage, access
   WHERE currentStatus <> 'online' OR statusMessage <> '' OR access <> 'read-write'
   RETURN count(*)" | tail -n 1)"
if [ "$unwell" = 0 ]; then
  exit 0
fi
free_kib="$(df --output=avail /data | tail -n 1)"
# No number: it did not answer, because it is being started or stopped, or hangs.
if [[ "$unwell" =~ ^[0-9]+$ ]] && [ "$free_kib" -ge "$least_kib" ]; then
  echo "Neo4j has given up and is killed, to be started anew."
  pkill -KILL -f org.neo4j.server.CommunityEntryPoint
else
  echo "Neo4j is not well; $free_kib KiB are free on its disk."
fi
exit 1
