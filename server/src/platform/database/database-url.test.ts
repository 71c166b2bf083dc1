import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { testServer } from '../../testing/test-server.js';
import { connectionsFromUrl } from './connections.js';
import { parseDatabaseUrl, placeOfDatabase } from './database-url.js';

describe('addresses of PostgreSQL', () => {
  it.each([
    ['postgres://u:p@db.example.org:5433/x', 'db.example.org:5433'],
    ['postgresql://u:p@/x?host=/var/run/postgresql', '/var/run/postgresql'],
    ['postgres://u@%2Fvar%2Frun/x', '/var/run'],
    ['postgres:///x?host=/tmp', '/tmp'],
  ])('knows where %s is', (url, place) => {
    expect(parseDatabaseUrl(url)?.pathname).toBe('/x');
    expect(placeOfDatabase(url)).toBe(place);
  });

  it.each(['postgres://u:p@/x', 'mysql://u:p@/x?host=/tmp', 'postgres://u:p@?', 'x'])('refuses %s', (url) => {
    expect(parseDatabaseUrl(url)).toBeUndefined();
  });

  it('keeps name and password as they are written', () => {
    const url = parseDatabaseUrl('postgres://some%20one:p%40ss@/x?host=/tmp');
    expect([url?.username, url?.password]).toEqual(['some%20one', 'p%40ss']);
  });

  it('reaches a server by host, socket and parameter alike', async () => {
    const { migration } = (await testServer()).connections;
    const { user, password, host, port, database } = new pg.Client(migration);
    const place = new URLSearchParams({ host, port: String(port) });
    const login = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}`;
    const { migration: connection } = connectionsFromUrl(`postgres://${login}@/${database}?${place}`);
    const client = new pg.Client(connection);
    await client.connect();
    try {
      const { rows } = await client.query('SELECT current_database() AS name');
      expect(rows[0].name).toBe(database);
    } finally {
      await client.end();
    }
  });
});
