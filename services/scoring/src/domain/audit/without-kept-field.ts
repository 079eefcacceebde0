import type { AsoReport } from './aso-report.ts';

/**
 * The shared report for an account that keeps the keywords field, while the audit with this field may not be shown. It was
 * computed without the field, but the field is not unknown.
 */
export function withoutKeptField(report: AsoReport): AsoReport {
  return {
    ...report,
    fields: report.fields.map((field) =>
      field.key === 'kw_field' && field.state === 'missing'
        ? {
            ...field,
            hint: 'The kept field is not in this report: too few words are read for one that has it.',
          }
        : field,
    ),
    flags: report.flags.filter(({ code }) => code !== 'KW_FIELD_UNKNOWN'),
  };
}
