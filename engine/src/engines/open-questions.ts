import type { Sentence } from '../sentences/sentence.js';

/** A condition that nobody answered, and one place that waits for it. */
export interface OpenCondition<Place> {
  readonly id: string;
  /** What a person is asked, and why it could not be told. */
  readonly words: {
    readonly question: string;
    readonly reason: string;
    readonly said: { readonly question: Sentence; readonly reason: Sentence };
  };
  readonly place: Place;
}

/** Each condition once, with every place that waits for it, in the order in which they were asked. */
export function openQuestions<Place>(asked: Iterable<OpenCondition<Place>>) {
  const questions = new Map<string, OpenCondition<Place> & { readonly places: Place[] }>();
  for (const one of asked) {
    const known = questions.get(one.id);
    if (known) known.places.push(one.place);
    else questions.set(one.id, { ...one, places: [one.place] });
  }
  return [...questions.values()].map(({ id, words, places }) => ({
    asked: { condition: id, ...words },
    places,
  }));
}
