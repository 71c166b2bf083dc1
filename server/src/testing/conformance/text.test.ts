import { describe, expect, it } from 'vitest';
import { differences } from './text.js';

const unknown = (text: string) => differences(text).filter((one) => one.startsWith('No row'));

describe('the comparison with the text of a specification', () => {
  it('knows the endpoints, fields and words that have rows', () => {
    expect(
      unknown(
        [
          '### Workspace',
          '',
          '| Field | Type |',
          '|---|---|',
          '| id | UUID |',
          '',
          '- `GET /workspaces`: `critical`',
          '| POST | /reports | x |',
        ].join('\n'),
      ),
    ).toEqual([]);
  });

  it('names what has no row', () => {
    expect(
      unknown(
        [
          '### Workspace',
          '| Field | Type |',
          '|---|---|',
          '| id | integer |',
          '| colour | string |',
          '### Colours',
          '- `PUT /workspaces/{id}/colour`: `red`',
          '| GET | /colours | x |',
        ].join('\n'),
      ),
    ).toEqual([
      'No row for the endpoint PUT /workspaces/{id}/colour',
      'No row for the endpoint GET /colours',
      'No row for the field Workspace: id (integer)',
      'No row for the field Workspace: colour (string)',
      'No row for the section Colours',
      'No row for the word PUT /workspaces/{id}/colour',
      'No row for the word red',
    ]);
  });

  it('names what stands in no text', () => {
    expect(differences('')).toContain('Not in the text: the endpoint GET /auth/me');
    expect(differences('')).toContain('Not in the text: the word in_progress');
  });
});
