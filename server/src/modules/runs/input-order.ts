import { sql } from '../../platform/database/sql.js';

/**
 * The order in which engines take documents `p` by their versions `v`: by what they are called and what is in them, so that the same
 * documents give the same result, whichever came first (decision 546). Of two that are alike in all of it either may be first.
 */
export const IN_ORDER = sql`p.name collate "C", v.file_name collate "C", v.sha256, p.id`;
