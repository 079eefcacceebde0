import { useState } from 'preact/hooks';
import * as texts from '#texts';
import type { PageData } from '../../page-data.ts';
import { callPage } from '../../parts/api.ts';
import { callPatiently } from '../../parts/call-each.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { nameOfChange } from '../../parts/name-of-change.ts';
import { Storefront } from '../../parts/shell.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { marksOf } from '../../timeline.ts';
import { Compared } from './compared.tsx';
import { type Fields, firstFields } from './fields.ts';
import { GapPart } from './gap.tsx';
import { MatrixPart } from './matrix.tsx';
import type { RivalsModel } from './model.ts';
import { Spy } from './spy.tsx';
import { RacePart, VoicePart } from './voice.tsx';

const words = texts.rivals;

export function Rivals({ model: first }: { model: RivalsModel }) {
  const [model, setModel] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const [address, setAddress] = useAddress(firstFields);
  const { app } = model;
  const marks = marksOf(model.timeline, nameOfChange);

  /** Reads the page again, as its address says. */
  const read = (change: Partial<Fields> = {}) => {
    if (Object.keys(change).length > 0) setAddress(change);
    const path = `/dashboard/apps/${app.id}/rivals`;
    return callPatiently(() => callPage<PageData>(`${path}${location.search}`)).then((data) => {
      if (data.page === 'rivals') setModel(data.model);
      setError(null);
    }, setError);
  };

  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <ErrorNote error={error} onRetry={() => void read()} />
      <Compared model={model} onCompare={(rivals) => void read({ rivals, page: firstFields.page })} />
      {(model.matrix !== null || model.missing.matrix !== null) && (
        <>
          <h2 id="matrix">{words.matrix}</h2>
          <MatrixPart
            model={model}
            address={address}
            onChange={setAddress}
            onRead={(change) => void read(change)}
          />
        </>
      )}
      <h2 id="voice">{words.voice}</h2>
      <VoicePart voice={model.voice} missing={model.missing.voice} lang={app.lang} marks={marks} />
      {model.voice !== null && <RacePart voice={model.voice} lang={app.lang} marks={marks} />}
      {(model.gap !== null || model.missing.gap !== null) && (
        <>
          <h2 id="gap">{words.gap}</h2>
          <GapPart
            app={app}
            gap={model.gap}
            missing={model.missing.gap}
            address={address}
            onChange={setAddress}
            onRead={(change) => void read(change)}
          />
        </>
      )}
      {model.rivals !== null && model.rivals.length > 0 && (
        <>
          <h2 id="spy">{words.spy}</h2>
          <Spy app={app} rivals={model.rivals} />
        </>
      )}
    </>
  );
}
