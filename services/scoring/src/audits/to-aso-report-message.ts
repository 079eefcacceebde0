import type {
  AsoReport as AsoReportMessage,
  Evidence,
  Flag as FlagMessage,
} from '@shelfwise/proto/scoring/v1/aso_report';
import type { FlagEvidence } from '../domain/audit/advice/flags/flag-rule.ts';
import type { AsoReport, Flag } from '../domain/audit/aso-report.ts';
import type { TermToAdd } from '../domain/audit/audit-input.ts';

/** A report as a gRPC message. Only the evidence of its flags has another shape. */
export function toAsoReportMessage(report: AsoReport): AsoReportMessage {
  return { ...report, flags: report.flags.map(toFlagMessage) };
}

export function toFlagMessage(flag: Flag): FlagMessage {
  const evidence = Object.entries(flag.evidence).map(([name, value]) => ({ name, value: toValue(value) }));
  return { ...flag, evidence };
}

function toValue(value: FlagEvidence[string]): Evidence['value'] {
  if (typeof value === 'number') return { $case: 'number', value };
  if (typeof value === 'string') return { $case: 'text', value };
  if (isTexts(value)) return { $case: 'texts', value: { texts: [...value] } };
  return { $case: 'terms', value: { terms: [...value] } };
}

function isTexts(value: readonly string[] | readonly TermToAdd[]): value is readonly string[] {
  return typeof value[0] !== 'object';
}
