import { fakeJudge, type LanguageModel, type ModelRequest, TASK_IDS } from '@normtrace/engine';

/** A question as the server of `@normtrace/engine/testing/model-server` reads it. */
interface WireQuestion {
  readonly system: string;
  readonly user: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asked to find out what the server can do, and holding nothing of any document. */
export const isProbe = ({ user }: Pick<WireQuestion, 'user'>): boolean =>
  user === 'Write it now.' || user.includes('Which are the two?');

/** A judge behind the wire: passes the probe, and knows of a question what it holds. */
export const judgeOnTheWire =
  (judge: LanguageModel = fakeJudge()) =>
  async ({ user, system, body }: WireQuestion): Promise<string | { readonly status: number }> => {
    if (user.includes('Which are the two?')) {
      const word = (which: string) => new RegExp(`${which} code word: (\\S+)\\.`).exec(user)?.[1] ?? '';
      return JSON.stringify({ first: word('First'), last: word('Last') });
    }
    if (user === 'Write it now.') return '{"ok":"yes"}';
    const format = body.response_format as { json_schema: { name: ModelRequest['task'] } };
    const task = format.json_schema.name;
    if (!TASK_IDS.includes(task)) return { status: 400 };
    const [answer] = await judge.ask([{ task, fixed: system, variable: user } as ModelRequest]);
    return 'text' in answer! ? answer.text : { status: 500 };
  };
