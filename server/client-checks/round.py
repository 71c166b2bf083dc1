"""A round through the service with a client generated from its description. Prints what it found as JSON."""

import json
import pathlib
import sys
import time
from typing import TypeVar
from uuid import UUID

import httpx

from normtrace_api.api.analysis import get_analysis, list_gaps, start_gap_analysis
from normtrace_api.api.auth import sign_up
from normtrace_api.api.standards import create_standard
from normtrace_api.api.work_products import (
    announce_work_product,
    complete_work_product_upload,
    get_work_product,
)
from normtrace_api.api.workspaces import create_workspace
from normtrace_api.client import AuthenticatedClient, Client
from normtrace_api.models.gap_analysis_detail import GapAnalysisDetail
from normtrace_api.models.gap_list import GapList
from normtrace_api.models.new_standard import NewStandard
from normtrace_api.models.new_workspace import NewWorkspace
from normtrace_api.models.sign_up import SignUp
from normtrace_api.models.signed_in import SignedIn
from normtrace_api.models.standard import Standard
from normtrace_api.models.start_gap_analysis import StartGapAnalysis
from normtrace_api.models.started_analysis import StartedAnalysis
from normtrace_api.models.work_product import WorkProduct
from normtrace_api.models.work_product_upload import WorkProductUpload
from normtrace_api.models.work_product_upload_session import WorkProductUploadSession
from normtrace_api.models.workspace import Workspace

Answer = TypeVar("Answer")


def given(answer: object, kind: type[Answer]) -> Answer:
    if not isinstance(answer, kind):
        raise SystemExit(f"wanted {kind.__name__}, got {answer}")
    return answer


def main(service: str, file: str, email: str) -> None:
    base = f"{service}/api/v1"
    person = SignUp(email=email, password="correct horse battery", name="Python")
    token = given(sign_up.sync(client=Client(base_url=base), body=person), SignedIn).access_token
    client = AuthenticatedClient(base_url=base, token=token)

    workspace = given(create_workspace.sync(client=client, body=NewWorkspace(name="Python")), Workspace).id
    adopted = NewStandard(workspace_id=workspace, catalog_id="iso-26262-3-2018")
    standard = given(create_standard.sync(client=client, body=adopted), Standard)

    content = pathlib.Path(file).read_bytes()
    upload = WorkProductUpload(
        workspace_id=workspace, filename="document.md", content_type="text/markdown", size=len(content)
    )
    session = given(announce_work_product.sync(client=client, body=upload), WorkProductUploadSession)
    sent = httpx.put(session.upload_url, content=content, headers=session.headers.to_dict())
    sent.raise_for_status()
    complete_work_product_upload.sync(session.file_id, client=client)
    while given(get_work_product.sync(session.file_id, client=client), WorkProduct).processing_status != "completed":
        time.sleep(0.1)

    start = StartGapAnalysis(workspace_id=workspace, standard_id=standard.id)
    started = given(start_gap_analysis.sync(client=client, body=start), StartedAnalysis)
    analysis = result(client, started.id)

    pages, listed = 0, 0
    cursor: str | None = ""
    while cursor is not None:
        page = given(list_gaps.sync(client=client, workspace_id=workspace, limit=2, cursor=cursor), GapList)
        pages, listed, cursor = pages + 1, listed + len(page.items), page.next_cursor
    print(
        json.dumps(
            {
                "type": analysis.type_,
                "gaps": analysis.gaps_total,
                "listed": listed,
                "pages": pages,
                "verdicts": len(analysis.verdicts),
            }
        )
    )


def result(client: AuthenticatedClient, id: UUID) -> GapAnalysisDetail:
    """The run with its result, when it has ended: the shape follows from its type."""
    while True:
        one = given(get_analysis.sync(id, client=client), GapAnalysisDetail)
        if one.status == "completed":
            return one
        if one.status not in ("queued", "running"):
            raise SystemExit(one.error)
        time.sleep(0.1)


main(*sys.argv[1:])
