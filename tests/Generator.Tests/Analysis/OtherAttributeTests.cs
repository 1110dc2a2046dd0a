using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Another library's attribute may have the same name, see docs/from-native-buffering.md. The attribute is recognized by its full name.</summary>
public sealed class OtherAttributeTests
{
    private static readonly SourceProject Project = SourceProject.Of(
        """
        namespace Other
        {
            public sealed class BufferedMessageSourceAttribute : Attribute;
        }

        namespace Shop
        {
            [Other.BufferedMessageSource]
            public class Old
            {
                public object? Anything { get; set; }
            }

            [BufferedMessages.BufferedMessageSource]
            public partial class Order
            {
                public int Id { get; set; }
            }
        }
        """);

    [Fact]
    public void Nothing_is_generated_for_a_type_with_an_attribute_of_that_name_in_another_namespace() =>
        Assert.Equal(["Shop.Order.g.cs"], Project.Generate().Files.Keys);

    [Fact]
    public async Task No_rule_is_checked_for_it() => Assert.Empty(await AnalyzerTests.Analyze(Project));
}
