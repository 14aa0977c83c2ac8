#!/usr/bin/env bash
# lightkube 1.0.1 and lightkube-models 1.37.0.8 (PyPI): a time with more than six digits is rounded to the nearest microsecond, and so can
# be later than what was written, on the next day, too.
#
# Go and Python's own `datetime.fromisoformat` cut digits off. lightkube decodes with msgspec 0.22, which rounds. Its two forms of a time also
# differ in what they can send: `renewTime` of a Lease is a MicroTime, which API servers read only with exactly six digits (400 otherwise),
# and a time whose microseconds are zero is written without any. The same holds for kubernetes 37.0.2, which does not round.
# Seen: 23:59:59.9999999 becomes midnight of the next day; a time with zero microseconds is sent as `12:00:00Z`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
    lightkube==1.0.1 lightkube-models==1.37.0.8 kubernetes==37.0.2 msgspec==0.22.0
cat >run.py <<'PYTHON'
import datetime

from kubernetes import client
from lightkube.resources.coordination_v1 import Lease

for text in ["2026-01-31T12:00:00.123456789Z", "2026-01-31T23:59:59.9999999Z"]:
    lease = Lease.from_dict({"metadata": {"name": "a"}, "spec": {"renewTime": text}})
    print(text, lease.spec.renewTime.isoformat(), datetime.datetime.fromisoformat(text).isoformat())

noon = datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.timezone.utc)
lease.spec.renewTime = noon
print("lightkube", lease.to_dict()["spec"]["renewTime"])
print("kubernetes", client.ApiClient().sanitize_for_serialization(client.V1LeaseSpec(renew_time=noon))["renewTime"])
PYTHON
found=$(venv/bin/python run.py)
expected='2026-01-31T12:00:00.123456789Z 2026-01-31T12:00:00.123457+00:00 2026-01-31T12:00:00.123456+00:00
2026-01-31T23:59:59.9999999Z 2026-02-01T00:00:00+00:00 2026-01-31T23:59:59.999999+00:00
lightkube 2026-01-31T12:00:00Z
kubernetes 2026-01-31T12:00:00+00:00'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
