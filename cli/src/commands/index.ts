import { alerts } from './alerts.ts';
import { apps } from './apps.ts';
import { audit } from './audit.ts';
import { charts } from './charts.ts';
import { check } from './check.ts';
import { createCompletion } from './completion.ts';
import type { Command } from './define-command.ts';
import { gap } from './gap.ts';
import { keywords } from './keywords.ts';
import { niches } from './niches.ts';
import { ranks } from './ranks.ts';
import { simulate } from './simulate.ts';
import { track } from './track.ts';

const callingCommands = [apps, keywords, track, ranks, audit, simulate, check, niches, charts, gap, alerts];

/** In the order of the help. */
export const commands: readonly Command[] = [...callingCommands, createCompletion(callingCommands)];
