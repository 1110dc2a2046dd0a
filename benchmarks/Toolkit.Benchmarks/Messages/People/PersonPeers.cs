using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.People;

/// <summary>System.Text.Json, source generated, for the person.</summary>
[JsonSerializable(typeof(Person))]
internal sealed partial class PersonJson : JsonSerializerContext;

/// <summary>The person as a Protobuf object.</summary>
internal static class PersonProtobuf
{
    public static Protobuf.Person Convert(Person source) => new()
    {
        Name = source.Name,
        Age = source.Age,
        Hobbies = { source.Hobbies },
        Address = source.Address,
        PhoneNumber = source.PhoneNumber,
        Email = source.Email,
        Gender = source.Gender,
        Nationality = source.Nationality,
        Occupation = source.Occupation,
        EducationLevel = source.EducationLevel,
        MaritalStatus = source.MaritalStatus,
        SpouseName = source.SpouseName,
        NumberOfChildren = source.NumberOfChildren,
        ChildrenNames = { source.ChildrenNames },
        LanguagesSpoken = { source.LanguagesSpoken },
        HasPets = source.HasPets,
        PetNames = { source.PetNames },
    };
}
