import { useWords } from './use-words.ts';

/** The way to an issuer outside and back to `to`; a page of its own, not of the application. */
export function ExternalWay({
  signIn,
  to,
}: {
  readonly signIn: { readonly address: string; readonly label: string };
  readonly to: string;
}) {
  const say = useWords();
  return (
    <a className="button" data-kind="primary" href={`${signIn.address}?return_to=${encodeURIComponent(to)}`}>
      {say('sign_in_at', { label: signIn.label })}
    </a>
  );
}
