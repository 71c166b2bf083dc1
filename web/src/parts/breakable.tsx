import { Fragment } from 'react';

/** A number with its part, such as `26262-3` or `SG-01`. */
const NUMBER = /(?<!\S)([^\s_]{0,8}\w-\d[^\s_]{0,8})(?!\S)/;

/**
 * A name in its own direction that goes on in the next line where people would write it so: behind `_` of a name of a file before
 * it is cut within a word, and not between a number and its part.
 */
export function Breakable({ name }: { readonly name: string }) {
  return (
    <bdi>
      {name.split(NUMBER).map((part, at) => (
        // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one text have no other name
        <Fragment key={at}>
          {at % 2 === 1 ? (
            <span className="unbroken">{part}</span>
          ) : (
            part.split(/(?<=_)(?=[^_])/).map((piece, of) => (
              <Fragment key={of}>
                {of > 0 && <wbr />}
                {piece}
              </Fragment>
            ))
          )}
        </Fragment>
        // biome-ignore-end lint/suspicious/noArrayIndexKey: parts of one text have no other name
      ))}
    </bdi>
  );
}
