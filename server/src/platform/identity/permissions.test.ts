import { describe, expect, it } from 'vitest';
import { grantFor, loadPermissionTable, parsePermissionTable, rolesInWorkspace } from './permissions.js';

const row = (id: string, more = '') => `
  - id: ${id}
    where: workspace
    description: Something
    viewer: denied
    engineer: own
    manager: { when: some_reason }
    admin: allowed
${more}`;

describe('the permission table', () => {
  it('is loaded', () => {
    const table = loadPermissionTable();
    expect(table.permissions.length).toBeGreaterThan(20);
    expect(table.find('workspaces.read').grants.viewer).toEqual({ kind: 'allowed' });
    expect(table.find('work-products.write').grants.admin).toBeUndefined();
  });

  it.each([
    ['a permission named twice', `owner: [admin]\npermissions:${row('a.b')}${row('a.b')}`],
    ['an unknown key', `owner: [admin]\npermissions:${row('a.b', '    exception: x')}`],
    ['an unknown role', `owner: [boss]\npermissions:${row('a.b')}`],
    ['a missing role', `owner: [admin]\npermissions:${row('a.b').replace('    admin: allowed', '')}`],
  ])('refuses %s', (_what, text) => {
    expect(() => parsePermissionTable(text)).toThrow();
  });

  it('knows nothing that is not in it', () => {
    expect(() => loadPermissionTable().find('everything')).toThrow(/not in server\/data\/roles.yaml/);
  });

  it('grants the widest of several roles', () => {
    const permission = parsePermissionTable(`owner: [admin]\npermissions:${row('a.b')}`).find('a.b');
    expect(grantFor(permission, ['viewer'])).toBeUndefined();
    expect(grantFor(permission, ['engineer'])).toEqual({ kind: 'own' });
    expect(grantFor(permission, ['manager', 'engineer'])).toEqual({ kind: 'own' });
    expect(grantFor(permission, ['manager', 'admin'])).toEqual({ kind: 'allowed' });
  });

  it('makes an owner manager and admin, and a viewer of the installation a viewer everywhere', () => {
    const table = loadPermissionTable();
    expect(rolesInWorkspace(table, 'engineer', { role: 'engineer', isOwner: true })).toEqual([
      'manager',
      'admin',
      'engineer',
    ]);
    expect(rolesInWorkspace(table, 'viewer', { role: 'admin', isOwner: true })).toEqual(['viewer']);
    expect(rolesInWorkspace(table, 'admin', { role: 'viewer', isOwner: false })).toEqual(['viewer']);
  });
});
