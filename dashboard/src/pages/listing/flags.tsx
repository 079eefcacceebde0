import * as texts from '#texts';
import { ApiText } from '../../parts/api-text.tsx';
import { Value } from '../../parts/value.tsx';
import type { Evidence, Flag } from './model.ts';

const words = texts.listing;
const severities = ['critical', 'warning', 'info'] as const;

/** What to improve, the worst first, each with what it costs, how to fix it and what raised it. */
export function Flags({ flags }: { flags: readonly Flag[] }) {
  if (flags.length === 0) return <p class="muted">{words.noFlags}</p>;
  const sorted = [...flags].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return (
    <ul class="list flags">
      {sorted.map((flag) => (
        <li key={flag.code}>
          <p>
            <span class={`severity ${flag.severity}`}>{texts.audit.severity[flag.severity]}</span>{' '}
            <strong>
              <ApiText>{flag.title}</ApiText>
            </strong>{' '}
            <ApiText>{flag.impact}</ApiText>
          </p>
          <p>
            {words.fix} <Fix of={flag} />
          </p>
          {flag.evidence.length > 0 && (
            <details>
              <summary>{words.evidence}</summary>
              <dl class="evidence">
                {flag.evidence.map(({ name, value }) => (
                  <div key={name}>
                    <dt>
                      <ApiText>{name}</ApiText>
                    </dt>
                    <dd class="said">
                      <EvidenceValue value={value} />
                    </dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What to do; without what is for programs. */
export function Fix({ of: { code, fix } }: { of: Pick<Flag, 'code' | 'fix'> }) {
  return <>{words.fixes[code] ?? <ApiText>{fix}</ApiText>}</>;
}

function EvidenceValue({ value }: { value: Evidence['value'] }) {
  if (typeof value === 'string') return <bdi>{value}</bdi>;
  if (Array.isArray(value)) return <bdi>{value.join(', ')}</bdi>;
  return <Value of={value} />;
}
