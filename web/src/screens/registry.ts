import type { Screen } from '../app/screen.ts';
import { screen as account } from './account/screen.ts';
import { screen as activity } from './activity/screen.ts';
import { screen as appearance } from './appearance/screen.ts';
import { screens as checklists } from './checklists/screen.ts';
import { screen as decide } from './decide/screen.ts';
import { screens as definitions } from './definitions/screen.ts';
import { screen as documents } from './documents/screen.ts';
import { screen as gap } from './gap/screen.ts';
import { screen as gaps } from './gaps/screen.ts';
import { screen as guest } from './guest/screen.ts';
import { screen as link } from './link/screen.ts';
import { screen as overview } from './overview/screen.ts';
import { screen as reports } from './reports/screen.ts';
import { screens as runs } from './runs/screen.ts';
import { screens as settings } from './settings/screen.ts';
import { screens as signIn } from './sign-in/screen.ts';
import { screens as standards } from './standards/screen.ts';
import { screen as start } from './start/screen.ts';
import { screen as subscription } from './subscription/screen.ts';
import { screens as trace } from './trace/screen.ts';
import { screen as users } from './users/screen.ts';
import { screens as viewer } from './viewer/screen.ts';

/** Every screen; those of the rail in its order. */
export const screens: readonly Screen[] = [
  ...signIn,
  link,
  start,
  appearance,
  account,
  guest,
  subscription,
  users,
  overview,
  decide,
  gaps,
  gap,
  documents,
  ...viewer,
  ...standards,
  ...trace,
  ...checklists,
  ...runs,
  reports,
  activity,
  ...definitions,
  ...settings,
];
