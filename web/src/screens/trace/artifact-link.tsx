import { Link } from 'wouter';

/** The id of an artifact, which leads to it where it is defined. */
export function ArtifactLink({
  workspace,
  id,
  artifactId,
  title,
}: {
  readonly workspace: string;
  readonly id: string | null;
  readonly artifactId: string;
  readonly title?: string;
}) {
  if (id === null) {
    return (
      <bdi className="mono" title={title}>
        {artifactId}
      </bdi>
    );
  }
  return (
    <Link className="mono" href={`/w/${workspace}/trace/artifacts/${id}`} title={title}>
      <bdi>{artifactId}</bdi>
    </Link>
  );
}
