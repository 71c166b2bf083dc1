// After the build of an installation: makes the library links of the embedded PostgreSQL, which npm packages cannot
// hold. The service would make them itself, but it may run as a user that cannot write here.
import { findBinaries } from '../server/dist/platform/embedded-postgres/binaries.js';

try {
  findBinaries();
} catch (error) {
  console.warn(error.message);
}
