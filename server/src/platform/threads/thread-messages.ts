/** From the pool to a thread. A thread does one task at a time. */
export type ToThread =
  | { readonly kind: 'run'; readonly task: string; readonly input: unknown }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown; readonly failed?: true };

/** From a thread to the pool. */
export type FromThread =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failed';
      readonly error: {
        readonly type: string;
        readonly message: string;
        readonly explained: boolean;
        readonly details: Readonly<Record<string, unknown>>;
        readonly stack?: string | undefined;
      };
    }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown };
