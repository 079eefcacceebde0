export const spanish = `
a aquel aquella al algo algún alguna algunas alguno algunos ante antes aquí así aún aunque bajo bien
cada como cómo con contra cual cuál cuales cuando cuándo cuanto da de del desde donde dónde dos
durante e el él ella ellas ellos en entre era eres es esa esas ese eso esos esta está estás estar
estas este esto estos estoy etc fue fueron ha hace hacia han has hasta hay he la las le les lo los
más me mi mí mis mientras muy ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras
otro otros para pero poco por porque pues que qué quien quién se sea según ser será si sí sido sin
sino sobre solo sólo somos son su sus también tan tanto te ti tiene toda todas todo todos tu tú tus
u un una unas uno unos usted ustedes vosotros vuestra vuestro y ya yo
`;
