import { describe, expect, it } from 'vitest';
import { requireGoodPassword } from './password-rules.js';

const jo = { email: 'jo.berger@example-mobility.org', name: 'Jo Berger', organization: 'Example Mobility' };
const judge = (password: string) =>
  requireGoodPassword('body.password', password, jo).then(
    () => 'good',
    (error) => error.details.issues[0].code,
  );

describe('a password', () => {
  it.each([
    ['of the list', '1qaz2wsx3edc'],
    ['of the list, in other letters', 'MotherFucker'],
    ['of the list with digits behind it', 'password123456'],
    ['of the list with signs around it', '!!!Dragon!2026!'],
    ['over and over', 'monkeymonkeymonkey'],
    ['of one character', 'aaaaaaaaaaaa'],
    ['of digits over and over', '121212121212'],
    ['that is the address', 'Jo.Berger@Example-Mobility.org'],
    ['that is what stands before the @', 'jo.berger2026!'],
    ['that is the name', 'Jo Berger 1984'],
    ['that is the organization', 'Example Mobility'],
    ['that is the product', 'Normtrace-2026'],
  ])('%s is refused', async (_what, password) => {
    expect(await judge(password)).toBe('common_password');
  });

  it.each([
    'correct horse battery',
    'dragon sees monkey',
    'gelbe Züge fahren nie',
    '9f8c2b7a1d3e',
    '🦒🦒🦓 wandern',
  ])('%s is accepted', async (password) => {
    expect(await judge(password)).toBe('good');
  });
});
