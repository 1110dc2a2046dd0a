using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.People;

/// <summary>A person of 17 members, mostly strings; all of them are read, and all elements of the lists.</summary>
public class PersonBenchmarks : MessageBenchmarks<Person, Protobuf.Person>
{
    [GlobalSetup]
    public override void Setup()
    {
        var source = Person.Create();
        Setup(source, PersonProtobuf.Convert(source), PersonJson.Default.Person);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<PersonBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var person = new PersonBufferedMessage(message);
        var sum = person.Age + (long)person.NumberOfChildren + (person.HasPets ? 1 : 0);
        sum += SumOf(person.Name.Utf8) + SumOf(person.Address.Utf8);
        sum += SumOf(person.PhoneNumber.Utf8) + SumOf(person.Email.Utf8);
        sum += SumOf(person.Gender.Utf8) + SumOf(person.Nationality.Utf8);
        sum += SumOf(person.Occupation.Utf8) + SumOf(person.EducationLevel.Utf8);
        sum += SumOf(person.MaritalStatus.Utf8) + SumOf(person.SpouseName.Utf8);
        sum += SumOf(person.Hobbies) + SumOf(person.ChildrenNames) + SumOf(person.LanguagesSpoken) + SumOf(person.PetNames);
        return sum;
    }

    protected override long Read(Person source)
    {
        var sum = source.Age + (long)source.NumberOfChildren + (source.HasPets ? 1 : 0);
        sum += SumOf(source.Name) + SumOf(source.Address);
        sum += SumOf(source.PhoneNumber) + SumOf(source.Email);
        sum += SumOf(source.Gender) + SumOf(source.Nationality);
        sum += SumOf(source.Occupation) + SumOf(source.EducationLevel);
        sum += SumOf(source.MaritalStatus) + SumOf(source.SpouseName);
        sum += SumOf(source.Hobbies) + SumOf(source.ChildrenNames) + SumOf(source.LanguagesSpoken) + SumOf(source.PetNames);
        return sum;
    }

    protected override long Read(Protobuf.Person source)
    {
        var sum = source.Age + (long)source.NumberOfChildren + (source.HasPets ? 1 : 0);
        sum += SumOf(source.Name) + SumOf(source.Address);
        sum += SumOf(source.PhoneNumber) + SumOf(source.Email);
        sum += SumOf(source.Gender) + SumOf(source.Nationality);
        sum += SumOf(source.Occupation) + SumOf(source.EducationLevel);
        sum += SumOf(source.MaritalStatus) + SumOf(source.SpouseName);
        sum += SumOf(source.Hobbies) + SumOf(source.ChildrenNames) + SumOf(source.LanguagesSpoken) + SumOf(source.PetNames);
        return sum;
    }

    private static long SumOf(ReadOnlySpan<byte> utf8) => utf8.Length + utf8[^1];

    private static long SumOf(string text) => text.Length + text[^1];

    private static long SumOf(BufferedList<BufferedString> texts)
    {
        var sum = 0L;
        foreach (var text in texts)
        {
            sum += SumOf(text.Utf8);
        }

        return sum;
    }

    private static long SumOf(IEnumerable<string> texts) => texts.Sum(SumOf);
}
