export const italian = `
a ad agli ai al all alla alle allo altra altre altri altro anche ancora avere bell c che chi ci ciò
coi col come con contro così cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della
delle dello dentro di dopo dove durante e è ed egli era essere fa fino fra gli ha hai hanno ho i il
in io l la le lei li lo loro lui m ma me mentre mi mia mie miei mio molto ne né negli nei nel nell
nella nelle nello nessun nessuna no noi non nostra nostre nostri nostro o od ogni oppure per perché
più poi prima proprio può qua quale quali quando quanto quell quella quelle quelli quello quest
questa queste questi questo qui s sant se sei senza si sì sia siamo siete sono sopra sotto sta stata
stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi t te ti tra troppo tu tua tue tuo
tuoi tutta tutte tutti tutto un una uno v vi via voi vostra vostre vostri vostro
`;
