import type {
  AsoReport as AsoReportMessage,
  Evidence,
  Flag as FlagMessage,
} from '@shelfwise/proto/scoring/v1/aso_report';
import type { AsoReport, Flag } from '../domain/audit/aso-report.ts';
import type { FlagEvidence } from '../domain/audit/flags/flag-rule.ts';
import type { RelevanceParts } from '../domain/audit/relevance.ts';
import type { TermToAdd } from '../domain/audit/terms-to-add.ts';

/** A report as a gRPC message. Only the evidence of its flags has another shape. */
export function toAsoReportMessage(report: AsoReport): AsoReportMessage {
  const { fields, targeting } = report;
  return {
    ...report,
    fields: fields.map((field) => ({ ...field, words: field.words.map(complete) })),
    targeting: { ...targeting, keywords: targeting.keywords.map(complete) },
    flags: report.flags.map(toFlagMessage),
  };
}

/** Reports of earlier versions have neither. */
function complete<Row extends { scored_at?: Date | null; relevance_parts?: RelevanceParts | null }>(
  row: Row,
) {
  return { ...withTime(row), relevance_parts: row.relevance_parts ?? null };
}

function withTime<Row extends { scored_at?: Date | null }>(row: Row): Row & { scored_at: Date | null } {
  return { ...row, scored_at: row.scored_at ?? null };
}

export function toFlagMessage(flag: Flag): FlagMessage {
  const evidence = Object.entries(flag.evidence).map(([name, value]) => ({ name, value: toValue(value) }));
  return { ...flag, evidence };
}

function toValue(value: FlagEvidence[string]): Evidence['value'] {
  if (typeof value === 'number') return { $case: 'number', value };
  if (typeof value === 'string') return { $case: 'text', value };
  if (isTexts(value)) return { $case: 'texts', value: { texts: [...value] } };
  return { $case: 'terms', value: { terms: value.map(withTime) } };
}

function isTexts(value: readonly string[] | readonly TermToAdd[]): value is readonly string[] {
  return typeof value[0] !== 'object';
}
