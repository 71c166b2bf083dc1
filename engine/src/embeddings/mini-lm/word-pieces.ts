/** Ids of what stands in a text for a model of the BERT family. */
export type WordPieces = (text: string, most: number) => readonly number[];

/** What the tokenizer's file says, as far as it is asked for. */
export interface WordPieceFile {
  readonly model: {
    readonly vocab: Readonly<Record<string, number>>;
    readonly unk_token: string;
    readonly continuing_subword_prefix: string;
    readonly max_input_chars_per_word: number;
  };
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
}

/**
 * Takes texts apart into the pieces that the vocabulary knows: lower case without accents, words at spaces and punctuation, the longest
 * piece first, `[CLS]` before and `[SEP]` behind. At most `most` pieces, those two among them.
 */
export function openWordPieces({ model, added_tokens: added }: WordPieceFile): WordPieces {
  const vocabulary = new Map(Object.entries(model.vocab));
  const special = new Map(added.map(({ content, id }) => [content, id]));
  const begin = special.get('[CLS]')!;
  const end = special.get('[SEP]')!;
  const unknown = vocabulary.get(model.unk_token)!;
  const specials = new RegExp(`(${[...special.keys()].map(escaped).join('|')})`, 'u');
  const known = new Map<string, readonly number[]>();

  function piecesOf(word: string): readonly number[] {
    const kept = known.get(word);
    if (kept) return kept;
    const pieces = divide(word);
    if (known.size < MOST_KEPT) known.set(word, pieces);
    return pieces;
  }

  function divide(word: string): readonly number[] {
    const letters = [...word];
    if (letters.length > model.max_input_chars_per_word) return [unknown];
    const pieces: number[] = [];
    for (let from = 0; from < letters.length; ) {
      let to = letters.length;
      let id: number | undefined;
      for (; to > from && id === undefined; to--) {
        const piece = letters.slice(from, to).join('');
        id = vocabulary.get(from === 0 ? piece : model.continuing_subword_prefix + piece);
      }
      if (id === undefined) return [unknown];
      pieces.push(id);
      from = to + 1;
    }
    return pieces;
  }

  return (text, most) => {
    const ids = [begin];
    for (const part of text.split(specials)) {
      const id = special.get(part);
      if (id !== undefined) ids.push(id);
      else for (const word of wordsOf(part)) ids.push(...piecesOf(word));
      if (ids.length >= most) break;
    }
    return [...ids.slice(0, most - 1), end];
  };
}

/** Words whose pieces are remembered. */
const MOST_KEPT = 20_000;

const escaped = (text: string): string => text.replace(/[[\]]/gu, '\\$&');

const CHARACTERS_LEFT_OUT = /(?![\t\n\r])[\p{C}\uFFFD]/gu;
const ACCENTS = /\p{Mn}/gu;
/** Each of these is a word of its own: characters of Chinese, and punctuation, which all signs of ASCII count as. */
const ALONE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]|[!-/:-@[-`{-~]|\p{P}/gu;

function wordsOf(text: string): readonly string[] {
  const plain = text
    .replace(CHARACTERS_LEFT_OUT, '')
    .normalize('NFD')
    .replace(ACCENTS, '')
    // Letter by letter: at the end of a word this one would become another.
    .replaceAll('Σ', 'σ')
    .toLowerCase()
    .replace(ALONE, ' $& ');
  return plain.split(/\p{White_Space}+/u).filter((word) => word !== '');
}
