export const turkish = `
acaba ama ancak artık asla aslında az bana bazı belki ben benden beni benim bile bir birçok biri
birkaç biz bize bizi bizim böyle bu buna bunda bundan bunlar bunu bunun burada çok çünkü da daha
dahi de değil diğer diye dolayı en fakat falan gibi göre hâlâ hala hangi hatta hem henüz hep hepsi
her herhangi herkes hiç hiçbir için ile ilgili ise işte kadar karşı ki kim kime kimi kimse mı mi mu
mü nasıl ne neden nedir nerede nereye niçin niye o olan olarak oldu olduğu olmak olsun olur ona
ondan onlar onları onların onu onun öyle oysa rağmen sadece sana sen senden seni senin siz size sizi
sizin son sonra şey şeyler şimdi şöyle şu şuna şunu tabii tüm üzere var ve veya veyahut ya yani
yapmak yerine yine yok yoksa zaten
`;
