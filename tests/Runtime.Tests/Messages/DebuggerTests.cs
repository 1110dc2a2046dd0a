using System.Diagnostics;
using System.Reflection;
using BufferedMessages.Runtime.Tests.Unions;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>What a debugger shows of a view.</summary>
public class DebuggerTests
{
    private const BindingFlags OfInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    [Fact]
    public void Of_a_view_it_shows_the_members()
    {
        var members = typeof(Parcel).GetProperties().Select(static property => property.Name).Except(["EqualityContract"]).Append(nameof(ParcelBufferedMessage.IsNull));

        Assert.Equal(members.Order(), ShownOf(typeof(ParcelBufferedMessage)));
    }

    [Fact]
    public void Of_a_view_of_a_union_it_shows_the_case_and_the_content_as_text()
    {
        Assert.Equal(["Case", "IsNull", "IsUnknown"], ShownOf(typeof(ShapeBufferedMessage)));
        Assert.Equal("{ToString(),nq}", typeof(ShapeBufferedMessage).GetCustomAttribute<DebuggerDisplayAttribute>()!.Value);
    }

    private static IEnumerable<string> ShownOf(Type view) =>
        view.GetFields(OfInstance).Concat<MemberInfo>(view.GetProperties(OfInstance))
            .Where(static member => member.GetCustomAttribute<DebuggerBrowsableAttribute>()?.State != DebuggerBrowsableState.Never)
            .Select(static member => member.Name)
            .Order();
}
