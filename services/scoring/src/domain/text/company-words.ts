/** Common words in company names, which identify no company. */
export const companyWords: ReadonlySet<string> = new Set(
  `ab ag app apps bv co company corp corporation dev development digital entertainment game games gmbh group inc
  interactive international kg labs limited llc ltd media mobile oy sa sas sl software solutions srl studio studios
  tech technologies technology`.split(/\s+/u),
);
