import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';

/**
 * A secret of 32 random bytes that all processes of the installation share under a name: made by whoever asks
 * first, kept in the database, read once per process.
 */
export function serviceSecret(database: Database, name: string): () => Promise<Buffer> {
  let reading: Promise<Buffer> | undefined;
  return () => {
    reading ??= readSecret(database, name).catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

async function readSecret(database: Database, name: string): Promise<Buffer> {
  return database.asSystem(`secret "${name}"`, async (transaction) => {
    await transaction.run(sql`
      insert into auth.secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict (name) do nothing`);
    const { value } = await transaction.one<{ value: Buffer }>(
      sql`select value from auth.secrets where name = ${name}`,
    );
    return value;
  });
}
