import { notFound } from '../../platform/http/api-error.js';
import type { ReadContext } from '../../platform/http/route.js';
import { revisionOf, type TraceView, type ViewKey } from './kept-views.js';
import { type StoredExtraction, selectTraceState } from './trace.repository.js';

/**
 * A view of the trace as it is now, from what is kept or made. Throws 404 when the workspace is not visible.
 * @returns With it, how far the trace is: of the state that the view is of.
 */
export async function viewNow<View extends TraceView>(
  { read, request }: Pick<ReadContext, 'read' | 'request'>,
  { workspaceId, what, make }: Omit<ViewKey, 'revision'> & { readonly make: () => Promise<View> },
): Promise<{ readonly view: View; readonly extraction: StoredExtraction | null }> {
  const [row] = await read<{ extraction: StoredExtraction | null }>(selectTraceState(workspaceId));
  if (!row) throw notFound('workspace');
  const revision = revisionOf(row.extraction);
  const view = await request.server.traceViews.get<View>({ workspaceId, revision, what }, make);
  const isSame = revisionOf(view.extraction) === revision;
  return { view, extraction: isSame ? row.extraction : view.extraction };
}
