import { useQuery } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

/** A report as a page, and as its file: a copy that names the guest. */
export function Report({ id }: { readonly id: string }) {
  const say = useWords();
  const report = useQuery({
    queryKey: ['report', id, 'guest'],
    queryFn: ({ signal }) => take(api.GET('/reports/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Loaded query={report}>
      {({ title, file_name }) => (
        <>
          <div className="row">
            <h2>
              <bdi>{title}</bdi>
            </h2>
            <a className="button" href={`/api/v1/reports/${id}/download`} download={file_name}>
              <Icon name="download" /> {say('download')}
            </a>
          </div>
          <iframe className="guest-report" sandbox="" title={title} src={`/api/v1/reports/${id}/preview`} />
        </>
      )}
    </Loaded>
  );
}
