import { type AnswerOf, answerReader } from './answer-schemas.js';
import type { TaskId } from './language-model.js';

/** An answer that could be read, or what is wrong with it, for whoever is asked again. */
export type ReadAnswer<Task extends TaskId> =
  | { readonly answer: AnswerOf<Task> }
  | { readonly issues: readonly string[] };

const MOST_ISSUES = 5;

/** Reads the text of an answer: without thoughts and fences, as JSON, in the form of the task. */
export function readAnswer<Task extends TaskId>(
  task: Task,
  text: string,
  issuesOf: (answer: AnswerOf<Task>) => readonly string[] = () => [],
): ReadAnswer<Task> {
  let value: unknown;
  try {
    value = JSON.parse(jsonOf(text));
  } catch {
    return { issues: ['It is not one JSON object.'] };
  }
  const parsed = answerReader(task).safeParse(value);
  if (!parsed.success) {
    // Codes and places, no words of the answer: what one answer says is never part of another question.
    const issues = parsed.error.issues.map(({ path, code }) => `${path.join('.') || 'answer'}: ${code}.`);
    return { issues: issues.slice(0, MOST_ISSUES) };
  }
  const issues = issuesOf(parsed.data);
  return issues.length > 0 ? { issues: issues.slice(0, MOST_ISSUES) } : { answer: parsed.data };
}

/** The object of an answer: thoughts, fences and words around it are left out. */
function jsonOf(text: string): string {
  const answer = text.replace(/<think>[\s\S]*?<\/think>/gi, '').replace(/^[\s\S]*<\/think>/i, '');
  return answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
}

/** What is wrong with a list that has to have each of some ids once. */
export function eachOnce(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const unknown = given.some((id) => !wanted.includes(id)) ? ['An id was answered that was not asked.'] : [];
  return [
    ...unknown,
    ...wanted.flatMap((id) => {
      const times = given.filter((one) => one === id).length;
      return times === 1 ? [] : [`"${id}" is answered ${times === 0 ? 'not at all' : 'more than once'}.`];
    }),
  ];
}

/** Longest words of a model that are shown. */
const LONGEST_WORDS = 600;

/** Words of a model as they are shown: one line, no markup, no links, cut. */
export function modelWords(text: string): string {
  const line = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\bhttps?:\/\/\S+/gi, '')
    .replace(/[*_`#<>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS).replace(/\s+\S*$/, '')} …`;
}
