import type { AsoReport } from './aso-report.ts';

/**
 * A stored report of an earlier listing, as an account sees it that keeps the keywords field: the report was computed without
 * it, but the field is not unknown.
 */
export function ofEarlierListing(report: AsoReport): AsoReport {
  return {
    ...report,
    fields: report.fields.map((field) =>
      field.key === 'kw_field' && field.state === 'missing'
        ? { ...field, hint: 'The kept field is not in this report, which is of an earlier listing.' }
        : field,
    ),
    flags: report.flags.filter(({ code }) => code !== 'KW_FIELD_UNKNOWN'),
  };
}
