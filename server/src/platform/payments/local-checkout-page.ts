import { createHash } from 'node:crypto';
import type { LocalSession } from './local-provider.js';
import { maskEmail } from './mask-email.js';

/** What one page shows. */
export interface CheckoutView {
  readonly session: LocalSession;
  readonly status: 'open' | 'complete' | 'expired' | 'ended';
  readonly returnUrl: string;
  /** What the person typed, when it has to be typed again. */
  readonly given?: string;
  /** What went wrong, as a sentence. */
  readonly problem?: string;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2733; --quiet: #4c5a69; --paper: #fff; --line: #788696; --link: #0b5394;
  --on-link: #fff; --note: #fff4d6; --note-line: #b07d00; --wrong: #a1260d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7edf3; --quiet: #b2bfcc; --paper: #131a21; --line: #7d8b99;
  --link: #8ec5ff; --on-link: #10181f; --note: #33290d; --note-line: #d9a72b; --wrong: #ffb4a2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; }
.note { margin: 0 0 1.5rem; padding: .75rem 1rem; border-left: .3rem solid var(--note-line); background: var(--note); }
.wrong { color: var(--wrong); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0 0 1.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; margin: .25rem 0 1.5rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .375rem; background: transparent; color: inherit; font: inherit; }
button, .button { display: block; width: 100%; min-height: 2.75rem; margin: 0 0 .75rem; padding: .5rem 1rem;
  border: 1px solid var(--link); border-radius: .375rem; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; background: var(--link); color: var(--on-link); }
.button.quiet, button.quiet { background: transparent; color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`;

/** For the content security policy of the page, which has no other style and no script. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

const TITLES = {
  open: 'Test checkout',
  complete: 'Paid',
  expired: 'This checkout has expired',
  ended: 'This subscription has ended',
} as const;

/** The page of a session in its state. Everything that anybody typed is escaped. */
export function checkoutPage(view: CheckoutView): string {
  const { status, session, problem } = view;
  const facts = [
    ['Plan', session.plan],
    ...(session.email
      ? [['Email', status === 'open' ? session.email : maskEmail(session.email)] as const]
      : []),
    ['Price', 'none: a test'],
  ] as const;
  return page(
    TITLES[status],
    `<p class="note"><strong>This is the test checkout of this Normtrace installation.</strong> It takes no money and
asks for no card.</p>
${problem ? `<p class="wrong" role="alert" id="problem">${escaped(problem)}</p>` : ''}
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${CONTENT[status](view)}`,
  );
}

export const notFoundPage = (): string =>
  page(
    'No such checkout',
    '<p>There is no checkout at this address. Go back to where you came from and start again.</p>',
  );

const CONTENT: Readonly<Record<CheckoutView['status'], (view: CheckoutView) => string>> = {
  open: ({ session, given = '', problem }) => `<form method="post">
${
  session.email
    ? ''
    : `<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="320" required value="${escaped(given)}"${
        problem ? ' aria-invalid="true" aria-describedby="problem"' : ''
      }>`
}
<button name="action" value="pay">Pay (test)</button>
<a class="button quiet" href="${escaped(session.cancel_url)}">Cancel</a>
</form>`,
  complete: ({ returnUrl }) => `<p>The plan is paid for. Nothing was charged.</p>
<a class="button" href="${escaped(returnUrl)}">Continue</a>
<form method="post"><button class="quiet" name="action" value="end">End the subscription</button></form>`,
  expired: ({ session }) => `<p>Nothing was bought. Start again to choose a plan.</p>
<a class="button" href="${escaped(session.cancel_url)}">Back</a>`,
  ended: ({ session }) => `<p>The profile has no plan any more; the free one starts with the next session.</p>
<a class="button" href="${escaped(session.cancel_url)}">Back</a>`,
};

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Normtrace</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
