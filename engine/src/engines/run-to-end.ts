import type { Finding } from '../findings/finding.js';

interface EngineEvent {
  readonly type: string;
}

/** Who wants to hear of a run while it goes on; `onProgress` gets everything but findings and the end. */
export interface RunCallbacks<Event extends EngineEvent> {
  readonly onProgress?: (event: Exclude<Event, { readonly type: 'finding' | 'completed' }>) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** Runs an engine's events to their end and answers the result, with callbacks instead of events. */
export async function runToEnd<Event extends EngineEvent, Result>(
  events: AsyncGenerator<Event, Result>,
  { onProgress, onFinding }: RunCallbacks<Event>,
): Promise<Result> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    const event: EngineEvent = step.value;
    if (isFinding(event)) onFinding?.(event.finding);
    else if (event.type !== 'completed') {
      onProgress?.(event as Exclude<Event, { readonly type: 'finding' | 'completed' }>);
    }
  }
}

const isFinding = (event: EngineEvent): event is { readonly type: 'finding'; readonly finding: Finding } =>
  event.type === 'finding';
