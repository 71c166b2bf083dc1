// Writes what the service is made of as CycloneDX JSON, from package-lock.json alone, and fails when a licence is not on
// the list of scripts/licences.json: `npm run sbom [-- <file>]`, sbom.cdx.json when none is named.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.argv[2] ?? `${root}sbom.cdx.json`;
const { allowed, told } = JSON.parse(readFileSync(`${root}scripts/licences.json`, 'utf8'));

const npm = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
});
if (npm.status !== 0) throw new Error(`npm sbom failed: ${npm.stderr}${npm.error?.message ?? ''}`);
const bill = JSON.parse(npm.stdout);

/** As the package says; what says nothing that can be read is told in licences.json, with the file that says it. */
const licenceOf = ({ name, version, licenses = [] }) =>
  licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression).join(' AND ') ||
  told[`${name}@${version}`]?.licence;
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)));

const refused = [];
for (const component of bill.components) {
  const licence = licenceOf(component);
  if (!licence || !isAllowed(licence)) {
    refused.push(`${component.name} ${component.version}: ${licence ?? 'says no licence'}`);
  } else if (!component.licenses?.length) {
    component.licenses = [{ license: { id: licence } }];
  }
}
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${file}: ${bill.components.length} components`);
for (const line of refused) console.error(`Licence not on the list of scripts/licences.json: ${line}`);
process.exitCode = refused.length === 0 ? 0 : 1;
