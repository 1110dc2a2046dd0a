using System.Runtime.CompilerServices;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The whole generated text of every feature.</summary>
public sealed class SnapshotTests
{
    [Fact]
    public void Scalars() => Verify(nameof(Features.Scalars));

    [Fact]
    public void Nullables() => Verify(nameof(Features.Nullables));

    [Fact]
    public void Strings_and_binaries() => Verify(nameof(Features.StringsAndBinaries));

    [Fact]
    public void Lists() => Verify(nameof(Features.Lists));

    [Fact]
    public void Collections() => Verify(nameof(Features.Collections));

    [Fact]
    public void Nested_lists() => Verify(nameof(Features.NestedLists));

    [Fact]
    public void Dictionaries() => Verify(nameof(Features.Dictionaries));

    [Fact]
    public void Sets() => Verify(nameof(Features.Sets));

    [Fact]
    public void Messages() => Verify(nameof(Features.Messages));

    [Fact]
    public void Unions() => Verify(nameof(Features.Unions));

    [Fact]
    public void Interface_unions() => Verify(nameof(Features.InterfaceUnions));

    [Fact]
    public void Union_names() => Verify(nameof(Features.UnionNames));

    [Fact]
    public void Structs() => Verify(nameof(Features.Structs));

    [Fact]
    public void Positional_record() => Verify(nameof(Features.PositionalRecord));

    [Fact]
    public void Record_struct() => Verify(nameof(Features.RecordStruct));

    [Fact]
    public void Get_only_members() => Verify(nameof(Features.GetOnlyMembers));

    [Fact]
    public void Private_setters_and_constructor() => Verify(nameof(Features.PrivateSettersAndConstructor));

    [Fact]
    public void Init_and_required() => Verify(nameof(Features.InitAndRequired));

    [Fact]
    public void Public_fields() => Verify(nameof(Features.PublicFields));

    [Fact]
    public void Nested_types() => Verify(nameof(Features.NestedTypes));

    [Fact]
    public void Internal_type() => Verify(nameof(Features.InternalType));

    [Fact]
    public void Global_namespace() => Verify(nameof(Features.GlobalNamespace));

    [Fact]
    public void Keyword_names() => Verify(nameof(Features.KeywordNames));

    [Fact]
    public void Awkward_names() => Verify(nameof(Features.AwkwardNames));

    [Fact]
    public void Own_members_of_those_names() => Verify(nameof(Features.OwnMembersOfThoseNames));

    [Fact]
    public void Inheritance() => Verify(nameof(Features.Inheritance));

    [Fact]
    public void Ignored_and_named() => Verify(nameof(Features.IgnoredAndNamed));

    [Fact]
    public void Ordinals() => Verify(nameof(Features.Ordinals));

    [Fact]
    public void Reserved() => Verify(nameof(Features.Reserved));

    [Fact]
    public void No_constructor() => Verify(nameof(Features.NoConstructor));

    [Fact]
    public void Documentation() => Verify(nameof(Features.Documentation));

    [Fact]
    public void Obsolete() => Verify(nameof(Features.Obsolete));

    [Fact]
    public void Experimental() => Verify(nameof(Features.Experimental));

    [Fact]
    public void Computed() => Verify(nameof(Features.Computed));

    [Fact]
    public void Names_that_give_way() => Verify(nameof(Features.NamesThatGiveWay));

    [Fact]
    public void Writers() => Verify(nameof(Features.Writers));

    [Fact]
    public void Empty() => Verify(nameof(Features.Empty));

    [Fact]
    public void Tuples() => Verify(nameof(Features.Tuples));

    [Fact]
    public void Tuple_names() => Verify(nameof(Features.TupleNames));

    [Fact]
    public void Converters() => Verify(nameof(Features.Converters));

    [Fact]
    public void Generic_base() => Verify(nameof(Features.GenericBase));

    [Fact]
    public void Every_feature_has_a_snapshot()
    {
        var tests = typeof(SnapshotTests).GetMethods().Select(static method => method.Name.Replace("_", "", StringComparison.Ordinal));
        var missing = Features.All.Except(tests, StringComparer.OrdinalIgnoreCase);
        Assert.Empty(missing);
    }

    // A release changes the version in every file; the comparison ignores it.
    private static void Verify(string feature, [CallerMemberName] string test = "") => Snapshot.Verify(
        Features.Project(feature).Generate().Files.ToDictionary(
            static file => file.Key,
            static file => file.Value
                .Replace($"Generator {GeneratorIdentity.Version}", "Generator {version}", StringComparison.Ordinal)
                .Replace($"\"{GeneratorIdentity.Version}\"", "\"{version}\"", StringComparison.Ordinal)),
        testName: test);
}
