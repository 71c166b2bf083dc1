import type { Nodes, PhrasingContent } from 'mdast';

/**
 * What a reader of the rendered page sees: markers of emphasis, links and code are gone, their text stays.
 * Line feeds stand where the file ends a line.
 */
export function inlineText(nodes: readonly (PhrasingContent | Nodes)[]): string {
  return nodes.map(nodeText).join('');
}

function nodeText(node: PhrasingContent | Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'html':
      return /^<br\b/i.test(node.value) ? ' ' : '';
    default:
      return 'children' in node ? inlineText(node.children) : '';
  }
}

/** Alternative texts when a paragraph holds pictures and nothing else. */
export function onlyPictures(nodes: readonly PhrasingContent[]): string[] | undefined {
  const pictures: string[] = [];
  for (const node of nodes) {
    if (node.type === 'image' || node.type === 'imageReference') pictures.push(node.alt ?? '');
    else if (node.type === 'link' || node.type === 'linkReference') {
      const inside = onlyPictures(node.children);
      if (!inside) return undefined;
      pictures.push(...inside);
    } else if (node.type !== 'break' && !(node.type === 'text' && node.value.trim() === '')) return undefined;
  }
  return pictures.length > 0 ? pictures : undefined;
}
