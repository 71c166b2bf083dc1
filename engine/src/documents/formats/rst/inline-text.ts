import { cleanText } from '../../clean-text.js';

/** What a reader of the rendered page sees: markers of emphasis, literals, links and roles are gone. */
export function inlineText(text: string): string {
  if (!/[`*|\\_]/.test(text)) return cleanText(text);
  return cleanText(
    text
      .replace(/``(.+?)``/gs, '$1')
      // Roles: :need:`Title <ID>` shows the title, :need:`ID` the identifier.
      .replace(/:[\w.+-]+(?::[\w.+-]+)*:`([^`]*)`/g, (_, content: string) => withoutTarget(content))
      .replace(/`([^`]*)`_{0,2}/g, (_, content: string) => withoutTarget(content))
      .replace(/(^|[\s(["'/–—-])\*\*(?=\S)([^*]+?)\*\*/g, '$1$2')
      .replace(/(^|[\s(["'/–—-])\*(?=[^\s*])([^*]+?)\*(?=$|[\s)\]"'.,:;!?/–—-])/g, '$1$2')
      .replace(/\\(\S)/g, '$1')
      .replace(/\\\s/g, ''),
  );
}

function withoutTarget(content: string): string {
  return /^([^<]+?)\s*<[^<>]+>$/s.exec(content)?.[1] ?? content;
}
