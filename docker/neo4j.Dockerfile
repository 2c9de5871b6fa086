# Neo4j Community with Graph Data Science, both in the versions of ops/local/pom.xml. Build from the repository's root.

FROM maven:3.9-eclipse-temurin-17 AS plugins
WORKDIR /fetch
COPY ops/local/pom.xml ./
RUN mvn --batch-mode --quiet --strict-checksums -P plugins dependency:copy-dependencies -DoutputDirectory=/plugins

FROM neo4j:5.26.19-community
COPY docker/neo4j-healthcheck.sh /usr/local/bin/neo4j-healthcheck
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
COPY --from=plugins /plugins /tmp/plugins
# All jars of Graph Data Science; third-party jars only if the server does not have them, because on one class path its own must win.
RUN find /tmp/plugins -name '*.jar' | while read -r jar; do \
      artifact="$(basename "$(dirname "$(dirname "$jar")")")"; \
      case "$jar" in */org/neo4j/gds/*) ours=yes ;; *) ours=no ;; esac; \
      if [ "$ours" = yes ] || ! ls "/var/lib/neo4j/lib/$artifact"-[0-9]*.jar >/dev/null 2>&1; then \
        cp "$jar" /var/lib/neo4j/plugins/; \
      fi; \
    done \
    && rm -rf /tmp/plugins \
    && chown -R neo4j:neo4j /var/lib/neo4j/plugins
# A server that is out of memory is useless but alive; once it exits, the restart policy starts it again.
RUN echo 'server.jvm.additional=-XX:+ExitOnOutOfMemoryError' >> /var/lib/neo4j/conf/neo4j.conf
