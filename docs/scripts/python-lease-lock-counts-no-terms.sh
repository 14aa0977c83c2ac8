#!/usr/bin/env bash
# kubernetes 37.0.2 (PyPI): `LeaseLock` takes a Lease over and leaves `spec.leaseTransitions` as it is.
#
# The field is the "number of transitions of a lease between holders", and client-go adds one for each new holder, so programs use it with the
# Lease's `uid` as the number of a term (a fencing token). The Python client writes holder, duration and times, never the number: a Lease
# that it creates has none, and after a takeover the old and the new holder have the same. `resourceVersion` rises with each write.
# Seen: leaseTransitions 5 with the holder `a`, and 5 with the holder `b` that took the expired Lease; none after a creation.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check kubernetes==37.0.2
cat >run.py <<'PYTHON'
"""A server with one Lease, and two electors of the Python client, one after the other."""
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from kubernetes import client
from kubernetes.leaderelection.electionconfig import Config
from kubernetes.leaderelection.leaderelection import LeaderElection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

stored = {"lease": None, "version": 0}


class Server(BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def write(self):
        lease = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stored["version"] += 1
        lease["metadata"]["resourceVersion"] = str(stored["version"])
        lease["metadata"].setdefault("uid", "u")
        stored["lease"] = lease
        self.answer(200, lease)

    def do_GET(self):
        if stored["lease"] is None:
            return self.answer(404, {"kind": "Status", "code": 404, "reason": "NotFound"})
        self.answer(200, stored["lease"])

    do_POST = do_PUT = write

    def log_message(self, *_):
        pass


def attempt(identity):
    """One attempt of a program that has just seen the Lease for longer than its duration."""
    config = Config(LeaseLock("work", "default", identity), lease_duration=2, renew_deadline=1.5,
                    retry_period=1, onstarted_leading=lambda: None, onstopped_leading=lambda: None)
    election = LeaderElection(config)
    election.try_acquire_or_renew()
    election.observed_time_milliseconds -= 60_000
    election.try_acquire_or_renew()
    spec, metadata = stored["lease"]["spec"], stored["lease"]["metadata"]
    print(spec["holderIdentity"], spec.get("leaseTransitions"), metadata["resourceVersion"])


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
configuration = client.Configuration(host=f"http://127.0.0.1:{server.server_port}")
client.Configuration.set_default(configuration)
attempt("a")
stored["lease"]["spec"]["leaseTransitions"] = 5
attempt("a")
attempt("b")
PYTHON
found=$(venv/bin/python run.py)
expected='a None 2
a 5 4
b 5 5'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
