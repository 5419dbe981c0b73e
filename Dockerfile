# The Meadow service as a container:
#
#   docker build -t meadow .
#   docker run -p 50051:50051 -v meadow:/var/lib/meadow meadow
#
# Configuration is by environment; `docker run meadow --help` lists every variable. The journal, which is all the state there
# is, lies on the volume.

ARG PYTHON_VERSION=3.13

# ---- build: bindings and wheel with the locked tools; then a second environment with what runs, and nothing else
FROM python:${PYTHON_VERSION}-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements.lock requirements-runtime.lock ./
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --quiet --require-hashes -r requirements.lock
RUN python -m venv /opt/meadow \
    && /opt/meadow/bin/pip install --quiet --require-hashes -r requirements-runtime.lock
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY engine engine
COPY server server
COPY clients/python clients/python
COPY proto proto
RUN /opt/build/bin/python -m build --no-isolation --wheel --outdir dist . \
    && /opt/meadow/bin/pip install --quiet --no-deps --no-index dist/*.whl \
    && /opt/meadow/bin/pip uninstall --quiet --yes pip
RUN mkdir -p /var/lib/meadow

# ---- the image
FROM python:${PYTHON_VERSION}-slim
COPY --from=build /opt/meadow /opt/meadow
COPY --from=build --chown=10001:10001 /var/lib/meadow /var/lib/meadow
ENV PATH=/opt/meadow/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MEADOW_LISTEN=0.0.0.0:50051 \
    MEADOW_JOURNAL=/var/lib/meadow/journal.db
USER 10001:10001
VOLUME /var/lib/meadow
EXPOSE 50051
# Asks the server itself through grpc.health.v1; a draining server answers that it no longer serves.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["python", "-m", "meadow_server.healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "-m", "meadow_server"]
